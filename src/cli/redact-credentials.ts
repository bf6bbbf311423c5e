// Removes user and password from addresses that are shown.

/** An address without user and password; anything else as it is. */
export function redactCredentials(text: string): string {
  return text
    .replace(/^(postgres(?:ql)?:\/\/)[^@]*@|^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1$2')
    .replace(/^(postgres(?:ql)?:\/\/.*[?&](?:user|password)=)[^&]*/i, '$1…');
}
