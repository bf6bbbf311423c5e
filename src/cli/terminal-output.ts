// Notices on stderr, each shown once.

/** @returns a function that prints a notice unless it was printed before: a file may feed several resources */
export function noticePrinter(
  stderr: NodeJS.WriteStream,
  { quiet }: { readonly quiet?: boolean },
): (words: string) => void {
  const said = new Set<string>();
  return (words) => {
    if (quiet === true || said.has(words)) return;
    said.add(words);
    stderr.write(`${words}\n`);
  };
}
