/** Returns a URL without credentials, query and fragment, and any other string without what looks like them. */
export function bareAddress(address: string): string {
  if (URL.canParse(address)) {
    const { protocol, host, pathname } = new URL(address);
    // URLs of services have a host; `mailto:` and others do not.
    if (host !== '') return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
  }
  return address.replace(/\/\/.*@/s, '//').replace(/[?#].*$/s, '');
}
