import { textFormat } from '../../model/codec.ts';
import { POOL_RECORD } from '../../model/pool-record.ts';
import { TOKEN_RECORD } from '../../model/token-record.ts';

export const { encode: encodeTokenRecord, decode: decodeTokenRecord } = textFormat(
  'token/1',
  TOKEN_RECORD,
);

export const { encode: encodePoolRecord, decode: decodePoolRecord } = textFormat(
  'pool/1',
  POOL_RECORD,
);
