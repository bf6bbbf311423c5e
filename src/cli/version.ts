// The output of `--version`. The store has its own copy (store/program-version.ts), since it must not import from here.
export { programVersion } from '../store/program-version.js';
