/** Imported first by every script: an old Node.js prints one sentence instead of a stack. */
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `This repository requires Node.js 20.19 or newer; this is ${process.versions.node}.`,
  );
  console.error('Install a newer version from https://nodejs.org or with your version manager.');
  process.exit(1);
}
