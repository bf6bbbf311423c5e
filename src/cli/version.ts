// What `--version` prints. The store needs it too, and may not import from here.
export { programVersion } from '../store/program-version.js';
