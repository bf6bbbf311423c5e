// Environment variables, files and exit codes, as listed in the manual and the man pages.

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

export const exitStatus: Meanings = [
  ['0', 'every item was accepted'],
  ['1', 'a bug'],
  ['2', 'usage or configuration'],
  ['3', 'finished, and at least one item was refused'],
  ['4', 'the API key is missing, or the remote refused it'],
  ['5', 'the input cannot be read'],
  ['6', 'the remote failed; running again continues'],
  ['7', 'the catalog cannot be used'],
  ['8', 'stopped by a guard'],
  ['9', 'not found'],
  ['129, 130, 143', 'interrupted by SIGHUP, SIGINT, SIGTERM'],
];
