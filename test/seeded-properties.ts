// The properties of fast-check draw their cases from the seed of the run: see seedOf.
import fc from 'fast-check';
import { seedOf } from './random.js';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: seedOf('TEST_SEED') });
