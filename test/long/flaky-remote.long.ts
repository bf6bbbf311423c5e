// A thousand imports through a proxy that spoils 30 % of the requests, where the test tier does a hundred.
process.env['FLAKY_RUNS'] ??= '1000';
await import('../http/client/flaky.test.js');
