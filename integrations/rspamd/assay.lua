-- Asks Assay (POST /mail/scan) about every message and adds one symbol for the action that it recommends, with the codes of the
-- reasons as options. Load it from /etc/rspamd/rspamd.local.lua; docs/guides/rspamd.md has the steps.

local rspamd_http = require 'rspamd_http'
local rspamd_logger = require 'rspamd_logger'
local rspamd_util = require 'rspamd_util'
local ucl = require 'ucl'

local N = 'assay'
-- The limit of POST /mail/scan for one message.
local BYTES_MAX = 10 * 1024 * 1024
local REASONS_MAX = 10

local settings = {
  url = 'http://127.0.0.1:8080/mail/scan',
  key = '',
  timeout = 5.0,
  trusted_hops = 1,
  authserv_id = nil,
  scores = {
    ASSAY_MALICIOUS = 10.0,
    ASSAY_REVIEW = 4.0,
    ASSAY_WARN = 1.5,
    ASSAY_NO_OBJECTION = 0.0,
    ASSAY_SKIPPED = 0.0,
  },
}
local DESCRIPTIONS = {
  ASSAY_MALICIOUS = 'Assay: a threat list names a link, a file or the sender',
  ASSAY_REVIEW = 'Assay: at least one reason of severity high',
  ASSAY_WARN = 'Assay: a reason of severity medium or low',
  ASSAY_NO_OBJECTION = 'Assay: nothing was found, which does not make the message clean',
  ASSAY_SKIPPED = 'Assay: the message was not scanned',
}
local SYMBOL_OF = {
  quarantine = 'ASSAY_MALICIOUS',
  review = 'ASSAY_REVIEW',
  warn = 'ASSAY_WARN',
  deliver = 'ASSAY_NO_OBJECTION',
}
local SKIPPED_BY_STATUS = {
  [400] = 'not-mail',
  [401] = 'key-refused',
  [403] = 'key-refused',
  [413] = 'too-large',
  [429] = 'quota',
  [503] = 'busy',
}

local function skip(task, reason)
  task:insert_result('ASSAY_SKIPPED', 1.0, reason)
  rspamd_logger.infox(task, 'assay did not scan this message: %s', reason)
end

local function read_answer(task, body)
  local parser = ucl.parser()
  local ok = parser:parse_text(body)
  local answer = ok and parser:get_object() or nil
  local symbol = type(answer) == 'table' and SYMBOL_OF[answer.recommendedAction]
  if not symbol then
    return skip(task, 'bad-answer')
  end
  local seen, codes = {}, {}
  for _, reason in ipairs(answer.reasons or {}) do
    local code = tostring(reason.code)
    if not seen[code] and #codes < REASONS_MAX then
      seen[code] = true
      codes[#codes + 1] = code
    end
  end
  task:insert_result(symbol, 1.0, codes)
end

local function context_of(task)
  local context = { trustedHops = settings.trusted_hops, authservId = settings.authserv_id }
  local ip = task:get_from_ip()
  if ip and ip:is_valid() then
    context.connectingIp = ip:to_string()
  end
  return ucl.to_format(context, 'json-compact')
end

local function check(task)
  local content = task:get_content()
  if #content > BYTES_MAX then
    return skip(task, 'too-large')
  end
  -- One string, because rspamd sends the parts of a table in packets of their own.
  local body = table.concat({
    '{"context":',
    context_of(task),
    ',"emlBase64":"',
    tostring(rspamd_util.encode_base64(content)),
    '"}',
  })
  local function on_answer(err, code, answer)
    if err then
      skip(task, 'unreachable')
    elseif code == 200 then
      read_answer(task, answer)
    else
      skip(task, SKIPPED_BY_STATUS[code] or 'bad-answer')
    end
  end
  local is_started = rspamd_http.request({
    task = task,
    url = settings.url,
    method = 'post',
    headers = { ['X-API-KEY'] = settings.key },
    mime_type = 'application/json',
    body = body,
    callback = on_answer,
    timeout = settings.timeout,
  })
  if not is_started then
    skip(task, 'unreachable')
  end
end

local options = rspamd_config:get_all_opt(N)
for name, value in pairs(options or {}) do
  if name == 'scores' then
    for symbol, score in pairs(value) do
      settings.scores[symbol] = score
    end
  else
    settings[name] = value
  end
end

if settings.key == '' then
  rspamd_logger.warnx(rspamd_config, 'assay is off: write the key into local.d/assay.conf')
else
  local id = rspamd_config:register_symbol({
    name = 'ASSAY_CHECK',
    type = 'callback',
    group = N,
    callback = check,
    augmentations = { string.format('timeout=%f', settings.timeout) },
  })
  for symbol, score in pairs(settings.scores) do
    rspamd_config:register_symbol({
      name = symbol,
      type = 'virtual',
      parent = id,
      group = N,
      score = score,
      description = DESCRIPTIONS[symbol],
    })
  end
end
