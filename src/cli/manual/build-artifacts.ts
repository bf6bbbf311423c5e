// Files that the build makes with the program itself: man pages, and the schema that the configuration file is read by.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { programVersion } from '../../store/program-version.js';
import { allCommands, defineCommand, idleProcess } from '../command-entry.js';
import { commands } from '../command-list.js';
import { sectionSchema, sectionSchemaName } from '../config/config-schema.js';
import { buildProgram } from '../program.js';
import { manPage, programPage } from './man-page.js';

export async function writeBuildArtifacts(folder: string, process: NodeJS.Process): Promise<void> {
  writeFileSync(join(folder, sectionSchemaName), JSON.stringify(sectionSchema(await allCommands(process, commands))));
  mkdirSync(join(folder, 'man'));
  for (const [name, page] of await manPages(process)) writeFileSync(join(folder, 'man', name), page);
}

/** The man pages by their names: one of the program, and one of each command. */
export async function manPages(process: NodeJS.Process): Promise<ReadonlyMap<string, string>> {
  const idle = idleProcess(process);
  const program = await buildProgram(idle);
  const version = programVersion();
  const named = (command: Command): string => `catalog-import-${command.name()}`;
  const pages = new Map([['catalog-import.1', programPage(program, version)]]);
  for (const entry of commands) {
    const command = program.commands.find((one) => one.name() === entry.words[0]);
    if (command === undefined) continue;
    await defineCommand(entry, command, idle, commands);
    pages.set(`${named(command)}.1`, manPage(command, { version, summary: entry.summary }));
  }
  return pages;
}
