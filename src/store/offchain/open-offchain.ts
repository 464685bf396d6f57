import type { DatabaseSync } from 'node:sqlite';
import { dataFolderAt } from '../data-folder.ts';
import { openOffchainPlane, openOffchainReader } from './offchain-plane.ts';
import { OffchainReader } from './offchain-reader.ts';
import { openInbox, type PostsInbox } from './posts-inbox.ts';
import { SocialReader } from './social-reads.ts';

/**
 * Opens the off-chain data for reading, also while another thread writes. The file is created or
 * migrated first, so that it can always be read. Throws StoreError.
 */
export function openOffchain(dataDir: string): {
  readonly database: DatabaseSync;
  readonly facts: OffchainReader;
  readonly social: SocialReader;
  /** The inbox for posts of clients, the only table written through this. */
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
