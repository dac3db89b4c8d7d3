import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { SearchField } from 'react-aria-components/SearchField';
import { Layer } from '../ui/layer.tsx';
import { type Action, useOfferedActions } from './actions.ts';
import css from './palette.module.css';
import { setPreference } from './preferences.ts';
import { Keys } from './shortcut-sheet.tsx';

export function Palette({ close }: { close: () => void }) {
  const actions = useOfferedActions().filter(({ id }) => id !== 'palette');
  const themes = (['light', 'dark', 'system'] as const).map((theme) => ({
    id: `theme-${theme}`,
    title: `Theme: ${theme}`,
    group: 'View' as const,
    run: () => setPreference('theme', theme),
  }));
  const commands = [...actions, ...themes];
  const run = (id: React.Key): void => {
    close();
    // Runs the command after the palette has closed, when the focus is back on the page.
    setTimeout(() => commands.find((command) => command.id === id)?.run(), 0);
  };
  return (
    <Layer title="Commands" close={close}>
      <Autocomplete filter={(text, input) => text.toLowerCase().includes(input.toLowerCase().trim())}>
        <SearchField aria-label="Find a command" autoFocus className={css.field ?? ''}>
          <Input className={css.input ?? ''} placeholder="Type what you want to do" />
        </SearchField>
        <Menu
          aria-label="Commands"
          items={commands}
          onAction={run}
          className={css.menu ?? ''}
          renderEmptyState={() => <p className={css.none}>No such command on this page.</p>}
        >
          {(command) => (
            <MenuItem id={command.id} textValue={wordsOf(command)} className={css.item ?? ''}>
              <span>{wordsOf(command)}</span>
              <span className={css.keys}>
                {'keys' in command && command.keys !== undefined && <Keys keys={command.keys} />}
              </span>
            </MenuItem>
          )}
        </Menu>
      </Autocomplete>
    </Layer>
  );
}

/** The name of a command in the list, which is also the text that the search matches. */
const wordsOf = ({ group, title }: Pick<Action, 'group' | 'title'>): string =>
  group === 'Go to' ? `Go to ${title}` : title;
