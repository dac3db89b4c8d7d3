import { useState } from 'react';
import { announce } from '../../frame/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';

export function CopyButton({ text, what }: { text: string; what: string }) {
  const [said, setSaid] = useState<string | null>(null);
  const copy = async () => {
    const isCopied = await copyText(text);
    setSaid(isCopied ? 'Copied' : 'Not allowed here: select the text and copy it');
    if (isCopied) announce('Copied');
  };
  return <Button onClick={() => void copy()}>{said ?? what}</Button>;
}
