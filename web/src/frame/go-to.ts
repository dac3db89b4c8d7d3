import { useMemo } from 'react';
import { go } from '../navigation/place.ts';
import { useSession } from '../service/session.ts';
import { type Action, useActions } from './actions.ts';
import { offeredScreens } from './offered-screens.ts';

/** Registers an action for each offered screen: `g` and then the key of the screen open it. */
export function useGoToActions(): void {
  const session = useSession();
  useActions(
    useMemo<readonly Action[]>(
      () =>
        offeredScreens(session).map(({ path, title, key }) => ({
          id: `go-${path}`,
          title,
          group: 'Go to',
          ...(key !== undefined && { keys: `g ${key}` }),
          run: () => go(path),
        })),
      [session],
    ),
  );
}
