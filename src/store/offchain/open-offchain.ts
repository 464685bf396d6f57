import type { DatabaseSync } from 'node:sqlite';
import { dataFolderAt } from '../data-folder.ts';
import { openOffchainPlane, openOffchainReader } from './offchain-plane.ts';
import { OffchainReader } from './offchain-reader.ts';
import { openInbox, type PostsInbox } from './posts-inbox.ts';
import { SocialReader } from './social-reads.ts';

/**
 * What was gathered off the chain, for reading, beside the thread that gathers. The file is made or
 * brought to this version first, so that there is always something to read. Throws StoreError.
 */
export function openOffchain(dataDir: string): {
  readonly database: DatabaseSync;
  readonly facts: OffchainReader;
  readonly social: SocialReader;
  /** For posts that clients bring; the one thing that is written from here. */
  openInbox(): PostsInbox;
  close(): void;
} {
  const { offchainFile } = dataFolderAt(dataDir);
  openOffchainPlane(offchainFile).close();
  const database = openOffchainReader(offchainFile);
  const opened: { close(): void }[] = [database];
  return {
    database,
    facts: new OffchainReader(database),
    social: new SocialReader(database),
    openInbox() {
      const { inbox, close } = openInbox(offchainFile);
      opened.push({ close });
      return inbox;
    },
    close() {
      for (const one of opened) one.close();
    },
  };
}
