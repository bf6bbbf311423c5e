// `completion`: prints the script that lets a shell complete the command line.
import { Argument, type Command } from 'commander';
import type { CommandEntry } from '../command-entry.js';
import { addExamples } from '../options.js';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export function defineCompletion(command: Command, process: NodeJS.Process, commands: readonly CommandEntry[]): void {
  command
    .description(
      'Prints a script for a shell that completes commands, options, their values, resources, codes and files. Its first lines say where it belongs.',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices([...shells]));
  addExamples(command, [
    ['completion bash > /etc/bash_completion.d/catalog-import', 'for all users of bash'],
    ['completion fish > ~/.config/fish/completions/catalog-import.fish', 'for fish'],
  ]);
  command.action(async (shell: string) => {
    const { completionScripts } = await import('../completion/scripts.js');
    process.stdout.write(completionScripts[shell] ?? '');
  });
  // Called by the scripts: prints the candidates for the last word.
  command
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: string[]) => {
      const { candidates, fileMark } = await import('../completion/candidates.js');
      const found = await candidates(
        words.map((word) => (word === '""' ? '' : word)),
        { process, commands },
      );
      const lines = found === fileMark ? [fileMark] : found.map(({ word, summary }) => `${word}\t${summary}`);
      process.stdout.write(lines.map((line) => `${line}\n`).join(''));
    });
}
