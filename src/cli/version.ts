// The version of the program, as `--version` prints it. It is read in the store, which needs it too.
export { programVersion } from '../store/program-version.js';
