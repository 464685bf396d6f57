import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Folder of recorded mainnet data, outside the project. */
export const testData = resolve(process.env.MINTSCOPE_TEST_DATA ?? '../shared/data');

/** False where the recorded data is absent; tests that need it are then skipped, with a message. */
export const hasTestData = existsSync(testData);
