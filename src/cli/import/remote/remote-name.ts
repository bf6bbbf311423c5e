// What a remote is called in files that are kept for it.

/**
 * The address of a remote without the slashes at its end: `https://shop.example` and `https://shop.example/` are the same. One that
 * is none is refused where the remote is opened.
 */
export function remoteName(address: string): string {
  return (URL.canParse(address) ? new URL(address).href : address).replace(/\/+$/, '');
}
