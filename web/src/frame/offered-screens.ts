import { type Needs, SCREENS, type Screen } from '../screens.ts';
import type { Session } from '../service/session.ts';

type OfferedScreen = Screen & { readonly title: string };

/** The screens that the menu, the keys and the palette offer to this reader. */
export const offeredScreens = (
  session: Session,
  screens: readonly Screen[] = SCREENS,
): readonly OfferedScreen[] =>
  screens.filter(
    (screen): screen is OfferedScreen =>
      screen.title !== undefined && (screen.needs === undefined || meets(session, screen.needs)),
  );

const meets = (session: Session, { plans, roles }: Needs): boolean =>
  session.state === 'signed-in' &&
  (plans === undefined || plans.includes(session.plan)) &&
  (roles === undefined || (session.role !== null && roles.includes(session.role)));
