/**
 * Returns a URL without credentials, query and fragment, which is safe to show. In a string that is not a URL,
 * everything that looks like them is removed.
 */
export function bareAddress(address: string): string {
  if (URL.canParse(address)) {
    const { protocol, host, pathname } = new URL(address);
    // URLs of services have a host; `mailto:` and others do not.
    if (host !== '') return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
  }
  return address.replace(/\/\/.*@/s, '//').replace(/[?#].*$/s, '');
}
