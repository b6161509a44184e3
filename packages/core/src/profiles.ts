// Internal: for packages of this repository, without a semver promise. Loads no schemas.
export { PROFILE_NAMES, profileNamed } from './protocol/profiles.js';
