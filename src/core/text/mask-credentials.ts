// Masks credentials in text before it is shown. Anything that looks like an address is masked, because a mistyped address can
// contain a password, too: one slash too few, no scheme, or user and password as parameters.

const patterns: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // An address of PostgreSQL, whatever its slashes are. A password may contain @ and /.
  [/(postgres(?:ql)?(?::\/*|\/{2,}))[^\s"'<>]*@/gi, '$1'],
  // Any other address: user and password end with its host at the latest.
  [/\b([a-z][a-z0-9+.-]+:\/{1,3})[^\s/?#"'<>]*@/gi, '$1'],
  // user:password@host
  [/(^|[\s"'=,(/])[^\s"'=,(/:@]+:(?![\\/])[^\s"'@]*@(?=[\w[])/g, '$1'],
  [/(\b(?:user|password|passwd|pwd)\s*=\s*)(?:'[^']*'|[^&\s;"']+)/gi, '$1…'],
];

/** A text without users and passwords of addresses. */
export function maskCredentials(text: string): string {
  if (!text.includes('@') && !text.includes('=')) return text;
  return patterns.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text);
}
