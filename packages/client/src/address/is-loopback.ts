/** Returns whether an address is on this machine, so that no network can read along. */
export function isLoopback(origin: string): boolean {
  const { hostname } = new URL(origin);
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    // URL writes every form of an IPv4 address with four numbers.
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}
