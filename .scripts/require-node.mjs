/** Imported first by every entry: an old Node gets one sentence instead of a stack. */
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`This repository needs Node 20.19 or newer; this is ${process.versions.node}.`);
  console.error('Get a newer one from https://nodejs.org or through your version manager.');
  process.exit(1);
}
