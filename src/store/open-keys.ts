import { KeyTable } from './control/api-keys.ts';
import { openControlPlane } from './control/control-plane.ts';
import { type DataFolder, prepareDataFolder } from './data-folder.ts';

/**
 * Opens only the keys, also while another process or thread has the folder open: for commands and
 * for the API thread. Does not load the data plane, because only the main thread may load its
 * engine (docs/decisions/0012-threads.md).
 */
export function openKeys(dataDir: string): { readonly keys: KeyTable; close(): void } {
  const folder: DataFolder = prepareDataFolder(dataDir);
  const control = openControlPlane(folder.controlFile);
  return { keys: new KeyTable(control), close: () => control.close() };
}
