import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { testExamples } from '../support/client-example-suite.ts';

testExamples({
  isAvailable: true,
  path: resolve('clients/typescript/examples'),
  fileOf: (name) => `${name}.ts`,
  // The modules of the client as they are in the repository, not as they were last built.
  start: (file, args, settings, folder) =>
    spawn(process.execPath, ['--conditions=mintscope-source', file, ...args], {
      cwd: folder,
      env: { ...process.env, NODE_OPTIONS: '--disable-warning=ExperimentalWarning', ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
});
