import { Link } from '../navigation/link.tsx';
import { permalinkOf, type Target } from './permalink.ts';

/** A link to the dashboard's page of an indicator, never to the indicator itself. */
export const IndicatorLink = ({
  target,
  ...rest
}: { target: Target } & Omit<React.ComponentProps<typeof Link>, 'to' | 'search'>) => (
  <Link {...rest} to={permalinkOf(target)} />
);
