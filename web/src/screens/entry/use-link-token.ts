import { useEffect, useState } from 'react';

const START = '#token=';
const TOKEN = /^#token=([\w-]{43})$/;

const isLinkHere = (): boolean => location.hash.startsWith(START);
const tokenHere = (): string | null => TOKEN.exec(location.hash)?.[1] ?? null;

/** A token in the address bar would be copied and photographed with it. */
function hideToken(): void {
  if (isLinkHere()) history.replaceState(history.state, '', location.pathname + location.search);
}

/**
 * The token of the link that opened this page; null when the link is not whole. It is in the state of the page alone, so a
 * reload needs the link again.
 */
export function useLinkToken(): string | null {
  const [token, setToken] = useState(tokenHere);
  useEffect(() => {
    hideToken();
    // A second link that is pasted into the address bar does not load the page again.
    const takeNext = () => {
      if (!isLinkHere()) return;
      setToken(tokenHere());
      hideToken();
    };
    addEventListener('hashchange', takeNext);
    return () => removeEventListener('hashchange', takeNext);
  }, []);
  return token;
}
