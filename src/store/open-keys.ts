import { KeyTable } from './control/api-keys.ts';
import { openControlPlane } from './control/control-plane.ts';
import { type DataFolder, prepareDataFolder } from './data-folder.ts';

/**
 * The keys alone, beside whoever has the folder open: commands, and the thread of the API. Loads
 * nothing of the data plane, whose engine no thread but the first may load
 * (docs/decisions/0012-threads.md).
 */
export function openKeys(dataDir: string): { readonly keys: KeyTable; close(): void } {
  const folder: DataFolder = prepareDataFolder(dataDir);
  const control = openControlPlane(folder.controlFile);
  return { keys: new KeyTable(control), close: () => control.close() };
}
