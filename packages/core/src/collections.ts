export { RecentIds } from './collections/recent-ids.js';
