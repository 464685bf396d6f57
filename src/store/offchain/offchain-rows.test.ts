import { describe } from 'vitest';
import { testDescribedRows } from '../../../tests/support/table-row-laws.ts';
import { JOBS } from './job-table.ts';
import { openOffchainPlane } from './offchain-plane.ts';
import { RECEIVED_POSTS, SOCIAL_INBOX } from './posts-inbox.ts';
import { REACHED } from './reached-slot.ts';
import * as social from './social-rows.ts';
import { STREAM_POSITION } from './stream-position.ts';
import { THUMBNAILS } from './thumbnail-table.ts';
import * as token from './token-rows.ts';

const ROWS = [
  ...[JOBS, REACHED, token.TRACKED, token.TOKENS, token.URIS, token.DOCUMENTS, token.LINKS],
  ...[token.PICTURES, token.PICTURE_CONTENTS, token.HASHES, SOCIAL_INBOX, social.SOCIAL_TOKENS],
  ...[social.SOCIAL_POSTS, social.SOCIAL_MENTIONS, social.SOCIAL_AUTHORS, social.SOCIAL_MINUTES],
  ...[social.SOCIAL_CURSORS, social.SOCIAL_POLLS, THUMBNAILS, STREAM_POSITION, RECEIVED_POSTS],
];

describe('rows of off-chain data', () => {
  testDescribedRows(() => openOffchainPlane(':memory:'), ROWS, []);
});
