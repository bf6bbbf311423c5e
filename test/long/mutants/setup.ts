// Before each file of tests: repeated with thousands of faults, a test may take hours, and a property need not find its smallest case.
import fc from 'fast-check';
import { vi } from 'vitest';

fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
const noLimit = 2 ** 31 - 1;
const { setConfig } = vi;
vi.setConfig = (config) => setConfig({ ...config, testTimeout: noLimit, hookTimeout: noLimit });
