/**
 * An address without credentials, query and fragment, none of which belongs to the address of a
 * service: fit to be shown. A string that is no address is returned without what looks like them.
 */
export function bareAddress(address: string): string {
  if (URL.canParse(address)) {
    const { protocol, host, pathname } = new URL(address);
    // Every address of a service has a host; `mailto:` and the like go below.
    if (host !== '') return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
  }
  return address.replace(/\/\/.*@/s, '//').replace(/[?#].*$/s, '');
}
