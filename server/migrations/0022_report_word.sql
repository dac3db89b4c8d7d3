-- Why: a list of saved checks shows the word that each check showed ("Not listed", "Old report"), and its level alone does
-- not decide that word. Reports from before this file have none and are shown by their level.
-- Size: at most 60 bytes for each report. Lock: the column is added without a rewrite.
alter table report add column word text check (length(word) <= 60);
