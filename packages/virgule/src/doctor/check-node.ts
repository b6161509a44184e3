import type { DoctorLine } from './doctor-line.js';

/** The oldest version that is tested. */
const OLDEST = { major: 20, minor: 19 };

/** Checks that this version of Node.js is supported; `version` is `process.versions.node`. */
export function checkNode(version: string): DoctorLine {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < OLDEST.major || (major === OLDEST.major && minor < OLDEST.minor);
  return {
    name: 'Node.js',
    status: isOld ? 'fail' : 'ok',
    message: isOld ? `${version} is too old` : version,
    hint: isOld ? `Install Node.js ${OLDEST.major}.${OLDEST.minor} or newer.` : undefined,
  };
}
