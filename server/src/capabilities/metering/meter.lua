#!lua name=assay_meter_VERSION
-- The meters, one atomic call per request. Every key of a call carries the same hash tag. Lean on purpose: each
-- redis.call costs a microsecond, so the common path makes five of them and builds no string it does not store.
-- The window arithmetic is that of domain/metering/window.ts, and a property test holds the two together.

local KEPT = 13
local BURST_SLOT_MS = 5000
local PROCESS_GONE_MS = 15000
local REFUNDED = { checks = 'checks_refunded', scans = 'scans_refunded' }
local NO_COUNTS = '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'

-- Outcomes, as meter-library.ts names them.
local GRANTED, BURST_SPENT, MONTH_SPENT, SETTLE_FIRST, OTHER_MONTH = 0, 1, 2, 3, 4

local function clock(text)
  if text ~= '0' then return tonumber(text) end
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- A window is: number of the newest slot, total, count of the newest slot, twelve older counts, 4 bytes each.
-- Answers head, total, newest count and the older counts; nil for the last when the stored ones still stand.
local function open_window(state, slot)
  if not state then return slot, 0, 0, NO_COUNTS end
  local head, total, newest = struct.unpack('>I4I4I4', state)
  local passed = slot - head
  if passed == 0 or (passed < 0 and passed >= -KEPT) then return head, total, newest, nil end
  if passed < 0 or passed >= KEPT then return slot, 0, 0, NO_COUNTS end
  for age = KEPT - passed, KEPT - 1 do total = total - struct.unpack('>I4', state, 9 + 4 * age) end
  local older = string.sub(state, 9, 8 + 4 * (KEPT - passed))
  if passed > 1 then older = string.rep('\0', 4 * (passed - 1)) .. older end
  return slot, total, 0, older
end

local function spend_window(key, slot_ms, head, total, newest, older)
  if older then
    redis.call('SET', key, struct.pack('>I4I4I4', head, total + 1, 1) .. older, 'PX', slot_ms * (KEPT + 1))
  else
    redis.call('SETRANGE', key, '4', struct.pack('>I4I4', total + 1, newest + 1))
  end
end

-- For a window that was not spent: when it is whole again, and how long until one more fits.
local function window_times(state, slot_ms, now, limit, head, total, newest, older)
  local counts = older or string.sub(state, 13)
  local reset, frees, left = (head + 1) * slot_ms, 0, total
  if newest > 0 then reset = (head + KEPT) * slot_ms end
  for age = KEPT - 1, 1, -1 do
    local count = struct.unpack('>I4', counts, 4 * age - 3)
    if frees == 0 then
      left = left - count
      if left + 1 <= limit then frees = age end
    end
    if newest == 0 and count > 0 then reset = (head - age + KEPT) * slot_ms end
  end
  return reset, (head - frees + KEPT) * slot_ms - now
end

-- KEYS burst window, month (absent: burst only). ARGV now or 0, burst limit, units or '' to look without spending,
-- and with a month: meter, month limit, first and past-the-end millisecond of the month, incarnation known.
-- A refusal of either kind spends nothing at all.
local function meter(keys, argv)
  local now = clock(argv[1])
  local limit = tonumber(argv[2])
  local units = tonumber(argv[3])
  local month, field = keys[2], argv[4]
  local granted, refunded = 0, 0
  if month then
    if now < tonumber(argv[6]) or now >= tonumber(argv[7]) then return { OTHER_MONTH, now } end
    local usage = redis.call('HMGET', month, 'incarnation', field, REFUNDED[field])
    if usage[1] ~= argv[8] then return { SETTLE_FIRST } end
    granted, refunded = tonumber(usage[2] or 0), tonumber(usage[3] or 0)
  end
  local slot = math.floor(now / BURST_SLOT_MS)
  local state = redis.call('GET', keys[1])
  local head, total, newest, older = open_window(state, slot)
  local outcome = GRANTED
  if not units then outcome = nil
  elseif total >= limit then outcome = BURST_SPENT
  elseif units > 0 and month and math.max(0, granted - refunded) + units > tonumber(argv[5]) then outcome = MONTH_SPENT end
  if outcome ~= GRANTED then
    local reset, retry = window_times(state, BURST_SLOT_MS, now, limit, head, total, newest, older)
    return { outcome or GRANTED, math.max(0, limit - total), reset, retry, granted, refunded }
  end
  spend_window(keys[1], BURST_SLOT_MS, head, total, newest, older)
  if month and units > 0 then granted = redis.call('HINCRBY', month, field, argv[3]) end
  return { GRANTED, limit - total - 1, (head + KEPT) * BURST_SLOT_MS, 0, granted, refunded }
end

local function raise(month, field, floor)
  local value = tonumber(redis.call('HGET', month, field) or 0)
  if value >= floor then return value end
  redis.call('HSET', month, field, floor)
  return floor
end

-- Adds what a process granted, or below zero gave back, on its own while we were away. Not held at zero: a late reply
-- may be corrected before the charge it corrects is settled, and only plain sums come out right in any order.
local function add(month, field, owed, granted, refunded)
  if owed >= 0 then return redis.call('HINCRBY', month, field, owed), refunded end
  return granted, redis.call('HINCRBY', month, REFUNDED[field], -owed)
end

-- KEYS month. ARGV incarnation to begin with ('' to leave a missing month missing), the highest checks granted and
-- refunded and scans granted and refunded known to the caller, its id, the number of its settlement (0: none),
-- checks and scans of that settlement, milliseconds to keep the month. Both counters of a meter only ever rise, so
-- raising them to what somebody has seen is right at any time and never undoes a refund.
local function settle(keys, argv)
  local month = keys[1]
  local incarnation = redis.call('HGET', month, 'incarnation')
  if not incarnation then
    if argv[1] == '' then return { '', 0, 0, 0, 0 } end
    incarnation = argv[1]
    redis.call('HSET', month, 'incarnation', incarnation)
    redis.call('PEXPIRE', month, argv[10])
  end
  local checks, checks_back = raise(month, 'checks', tonumber(argv[2])), raise(month, REFUNDED.checks, tonumber(argv[3]))
  local scans, scans_back = raise(month, 'scans', tonumber(argv[4])), raise(month, REFUNDED.scans, tonumber(argv[5]))
  local number, settled = tonumber(argv[7]), 'settled:' .. argv[6]
  if number > tonumber(redis.call('HGET', month, settled) or 0) then
    redis.call('HSET', month, settled, number)
    checks, checks_back = add(month, 'checks', tonumber(argv[8]), checks, checks_back)
    scans, scans_back = add(month, 'scans', tonumber(argv[9]), scans, scans_back)
  end
  return { incarnation, checks, checks_back, scans, scans_back }
end

-- KEYS month. ARGV meter, units. Gives units back, never below nothing used; answers nothing when the month is gone.
local function refund(keys, argv)
  local field = argv[1]
  local usage = redis.call('HMGET', keys[1], 'incarnation', field, REFUNDED[field])
  if not usage[1] then return false end
  local granted, refunded = tonumber(usage[2] or 0), tonumber(usage[3] or 0)
  local back = math.min(tonumber(argv[2]), granted - refunded)
  if back > 0 then refunded = redis.call('HINCRBY', keys[1], REFUNDED[field], back) end
  return { granted, refunded }
end

-- KEYS windows, then counters. ARGV now or 0, how many windows; slot length and limit of each window; limit and last
-- millisecond of each counter. All must have room, then all are spent; answers the one that refused or has least left.
local function guard(keys, argv)
  local now, windows = clock(argv[1]), tonumber(argv[2])
  local opened, least = {}, nil
  for i = 1, #keys do
    local first, limit = tonumber(argv[1 + 2 * i]), tonumber(argv[2 + 2 * i])
    if i <= windows then
      local state = redis.call('GET', keys[i])
      local head, total, newest, older = open_window(state, math.floor(now / first))
      if total >= limit then
        local reset, retry = window_times(state, first, now, limit, head, total, newest, older)
        return { BURST_SPENT, limit, 0, reset, retry }
      end
      opened[i] = { head, total, newest, older }
      if not least or limit - total - 1 < least[3] then
        least = { GRANTED, limit, limit - total - 1, (head + KEPT) * first, 0 }
      end
    else
      local total = tonumber(redis.call('GET', keys[i]) or 0)
      local counter_limit, ends = first, limit
      if total >= counter_limit then return { MONTH_SPENT, counter_limit, 0, ends, ends - now } end
      if not least or counter_limit - total - 1 < least[3] then
        least = { GRANTED, counter_limit, counter_limit - total - 1, ends, 0 }
      end
    end
  end
  for i = 1, #keys do
    if i <= windows then
      spend_window(keys[i], tonumber(argv[1 + 2 * i]), opened[i][1], opened[i][2], opened[i][3], opened[i][4])
    elseif redis.call('INCR', keys[i]) == 1 then
      redis.call('PEXPIRE', keys[i], math.max(1000, tonumber(argv[2 + 2 * i]) - now))
    end
  end
  return least
end

-- KEYS processes. ARGV id of the caller, 'leave' when it goes. Answers how many were heard of in the last 15 s.
local function heartbeat(keys, argv)
  local now = clock('0')
  if argv[2] == 'leave' then redis.call('ZREM', keys[1], argv[1]) else redis.call('ZADD', keys[1], now, argv[1]) end
  redis.call('ZREMRANGEBYSCORE', keys[1], '-inf', now - PROCESS_GONE_MS)
  redis.call('PEXPIRE', keys[1], PROCESS_GONE_MS * 4)
  return redis.call('ZCARD', keys[1])
end

redis.register_function('assay_meter_VERSION', meter)
redis.register_function('assay_settle_VERSION', settle)
redis.register_function('assay_refund_VERSION', refund)
redis.register_function('assay_guard_VERSION', guard)
redis.register_function('assay_heartbeat_VERSION', heartbeat)
