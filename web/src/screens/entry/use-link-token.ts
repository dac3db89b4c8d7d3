import { useEffect, useState } from 'react';

const START = '#token=';
const TOKEN = /^#token=([\w-]{43})$/;

const isLinkHere = (): boolean => location.hash.startsWith(START);
const tokenHere = (): string | null => TOKEN.exec(location.hash)?.[1] ?? null;

/** Removes the token from the address bar, where it could be copied or photographed. */
function hideToken(): void {
  if (isLinkHere()) history.replaceState(history.state, '', location.pathname + location.search);
}

/**
 * The token of the link that opened this page; null when the link has none. Only the page's state holds it, so after a
 * reload the link must be opened again.
 */
export function useLinkToken(): string | null {
  const [token, setToken] = useState(tokenHere);
  useEffect(() => {
    hideToken();
    // A second link, pasted into the address bar, changes only the fragment and does not load the page again.
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
