// Environment variables, files and exit codes, as listed in the manual, the man pages and `explain`.

type Meanings = readonly (readonly [name: string, meaning: string])[];

export const environment: Meanings = [
  ['CATALOG_DB', 'the catalog file, as --db'],
  ['CATALOG_REMOTE', 'the address of a remote instance, as --remote'],
  ['CATALOG_API_KEY', 'the API key for the remote'],
  ['CATALOG_API_KEY_FILE', 'a file that holds the key, as --api-key-file'],
  ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'proxies on the way to a remote'],
  ['XDG_CONFIG_HOME', 'where the configuration file of the user is; default ~/.config'],
  ['XDG_STATE_HOME', 'where the journal for --resume is kept; default ~/.local/state'],
  ['PAGER', 'what shows a page of the manual on a terminal; default less'],
  ['NO_COLOR', 'no colour, as --no-color'],
  ['DEBUG', 'details of a bug (exit code 1) on stderr'],
];

/** Files that are read without being named on the command line. */
export const files: Meanings = [
  ['./catalog.db', 'the catalog, where neither --db nor a variable names another'],
  ['./catalog-import.yaml', 'options, and profiles of them; catalog-import help configuration'],
  ['~/.config/catalog-import/config.yaml', 'the same, of the user, for every folder'],
];

/** What an exit code means, and what to do. */
export interface ExitStatus {
  /** Several for signals. */
  readonly codes: readonly number[];
  readonly meaning: string;
  readonly remedy: string;
}

export const exitStatus: readonly ExitStatus[] = [
  {
    codes: [0],
    meaning:
      'every item was accepted; also for an empty file, and for a source by address that has nothing new since a run that refused as many',
    remedy: 'nothing',
  },
  {
    codes: [1],
    meaning: 'a bug',
    remedy: 'run it again with DEBUG=1, and report the command and its text',
  },
  {
    codes: [2],
    meaning:
      'wrong usage or configuration; a report that cannot be written; a plan that was damaged, or made by another version',
    remedy: 'correct what the message names',
  },
  {
    codes: [3],
    meaning:
      'finished, and at least one item was refused, left out by `apply` as its record changed since the plan, or a warning of `--fail-on` was noticed',
    remedy: 'correct the refused records, which `--refused-file` writes back, and import those',
  },
  {
    codes: [4],
    meaning:
      'the remote refused the API key, or there is no key; the server of a source by address refused the credentials',
    remedy: 'name a valid key; `keys list` on the machine of the catalog shows which are',
  },
  {
    codes: [5],
    meaning:
      'the input cannot be read or is malformed; what was reported before is stored. Also a certificate of `serve` that cannot be read, and where the system allows too few open files',
    remedy: 'correct the file, and run the command again; `inspect` shows how a file is read',
  },
  {
    codes: [6],
    meaning:
      'the remote cannot be reached, kept failing, or answered something else than a report. Also what passes by itself: a port of `serve` that is in use, a worker that was killed before it served, too few processes',
    remedy: 'run the command again, an import into a remote with `--resume`',
  },
  {
    codes: [7],
    meaning:
      'the catalog is locked for too long, full, read-only, damaged, gone, or of a newer version; its database cannot be reached or refuses',
    remedy: 'do what the message says, and run the command again; `doctor` checks a catalog',
  },
  {
    codes: [8],
    meaning: 'stopped by a guard such as `--max-refused`; `plan` found that one would stop the import',
    remedy: 'look at the plan that the message names; where the change is intended, apply it',
  },
  {
    codes: [9],
    meaning:
      'not found: a record (`get`, `why`, `prices`, `shop delete-product`), a run (`runs show`, `undo`), a feed (`missing`, `feeds retire`), a code (`explain`), a key (`keys revoke`)',
    remedy: 'look at the name; `list`, `runs`, `feeds` and `keys list` show those that exist',
  },
  {
    codes: [129, 130, 143],
    meaning:
      'interrupted by SIGHUP (a closed terminal), Ctrl-C, or SIGTERM and Ctrl-Break; the current batch was finished or rolled back',
    remedy: 'run the command again: items already saved are reported as unchanged',
  },
];
