/** What to do with a data folder that cannot go on with what other replicas share. */
export const RESTORE =
  'Restore this data folder from the backup of a replica that follows the stream (`mintscope restore`), and start again.';
