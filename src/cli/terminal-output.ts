// What is said on stderr beside a report.

/** @returns says a thing once, however often it comes up: of a file that feeds several resources, each is said once */
export function newVoice(stderr: NodeJS.WriteStream, { quiet }: { readonly quiet?: boolean }): (words: string) => void {
  const said = new Set<string>();
  return (words) => {
    if (quiet === true || said.has(words)) return;
    said.add(words);
    stderr.write(`${words}\n`);
  };
}
