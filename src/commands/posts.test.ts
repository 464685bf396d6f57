import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { buildPost } from '../../tests/support/build-post.ts';
import { runCommand, temporaryFolder, writeLines } from '../../tests/support/command-line.ts';
import { dataFolderAt } from '../store/data-folder.ts';
import { openOffchainPlane } from '../store/offchain/offchain-plane.ts';
import { PostsInbox } from '../store/offchain/posts-inbox.ts';
import { openKeys } from '../store/open-keys.ts';

describe('posts import', () => {
  test('passes valid lines to the service, and reports errors in the others', async () => {
    const dataDir = `${temporaryFolder()}/data`;
    openKeys(dataDir).close();
    const lines = [buildPost(), { postId: '2' }, { deleted: true, platform: 'x', postId: '3' }];
    const file = writeLines(temporaryFolder(), 'posts.jsonl', lines);
    const command = ['posts', 'import', file, '--data-dir', dataDir, '--json'];
    const { exitCode, stdout, stderr } = await runCommand(command);
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, { accepted: 2, refused: 1 }]);
    expect(stderr).toContain('line 2: "author" must be an object with an "id"');
    const database = openOffchainPlane(dataFolderAt(dataDir).offchainFile);
    const waiting = new PostsInbox(database).read(9).map(({ event }) => event);
    database.close();
    expect(waiting).toEqual([
      { kind: 'post', post: buildPost() },
      { kind: 'deleted', platform: 'x', postId: '3' },
    ]);
  });

  test('refuses a folder with one sentence', async () => {
    const dataDir = `${temporaryFolder()}/data`;
    openKeys(dataDir).close();
    const folder = temporaryFolder();
    const command = ['posts', 'import', folder, '--data-dir', dataDir];
    const { exitCode, stderr } = await runCommand(command);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`"${folder}" is a folder`)]);
  });

  test('creates no folder for a mistyped name', async () => {
    const dataDir = `${temporaryFolder()}/dada`;
    const file = writeLines(temporaryFolder(), 'posts.jsonl', [buildPost()]);
    const { exitCode, stderr } = await runCommand(['posts', 'import', file, '--data-dir', dataDir]);
    expect([exitCode, existsSync(dataDir)]).toEqual([2, false]);
    expect(stderr).toContain('There is no data folder');
  });
});
