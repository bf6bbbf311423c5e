// The folder of a run of the tests, which global-setup.ts makes and removes. Each worker has a folder in it, and empties it
// after each test file (each-file.ts).

/** The environment variable that names it. */
export const runFolderVariable = 'CATALOG_TEST_RUN_FOLDER';

/** How the name of a folder begins that a module makes for all files which use it: it is emptied after each, and stays. */
export const sharedFolders = 'shared-';

export function runFolder(): string {
  const named = process.env[runFolderVariable];
  if (named === undefined) throw new Error('the tests were started without test/global-setup.ts');
  return named;
}
