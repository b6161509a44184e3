// Internal: for packages of this repository, without a semver promise.
export { LruMap } from './collections/lru-map.js';
export { RecentIds } from './collections/recent-ids.js';
export { Roster, type Member } from './collections/roster.js';
