import { useEffect, useState } from 'preact/hooks';
import { subscribe } from '../../api/stream.ts';
import { type Read, useRead } from '../../state/use-read.ts';
import type { Wallet } from './wallet-types.ts';

/** The wallet as of the newest slot that changed it. */
export function useWallet(address: string): Read<Wallet> {
  const read = useRead('/v1/wallets/{address}', { address });
  const [live, setLive] = useState<Wallet | null>(null);
  const { reload } = read;
  useEffect(() => {
    setLive(null);
    const readAgain = () => {
      setLive(null);
      reload();
    };
    return subscribe<Wallet | null>(
      'wallet',
      { wallet_address: address },
      {
        onItem: (wallet) => setLive(wallet),
        onUndo: readAgain,
        onGap: readAgain,
      },
    );
  }, [address]);
  return { ...read, body: live ?? read.body };
}
