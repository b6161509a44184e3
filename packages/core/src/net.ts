export { hostOf, isLoopback, isLoopbackUrl } from './net/loopback.js';
