#!/usr/bin/env node
const program = await import('../dist/main.js').catch((error) => {
  // Its own files cannot be opened: the installation is incomplete, or the system allows too few open files.
  console.error(`error: The program cannot be loaded: ${error.message}`);
  process.exitCode = 5;
});

await program?.run(process);
