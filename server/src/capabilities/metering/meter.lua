#!lua name=assay_meter_VERSION
-- The meters, one atomic call per request. Every key of a call carries the same hash tag. Each redis.call
-- costs a microsecond, so the common path makes five of them and builds no string it does not store. The
-- window arithmetic equals that of domain/metering/window.ts; a property test compares the two.

local KEPT = 13
local BURST_SLOT_MS = 5000
local PROCESS_GONE_MS = 15000
local REFUNDED = { checks = 'checks_refunded', scans = 'scans_refunded' }
local NO_COUNTS = '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'

-- Outcomes, named in meter-library.ts.
local GRANTED, BURST_SPENT, MONTH_SPENT, SETTLE_FIRST, OTHER_MONTH = 0, 1, 2, 3, 4

local function clock(text)
  if text ~= '0' then return tonumber(text) end
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- A window is: number of the newest slot, total, count of the newest slot, twelve older counts, 4 bytes each.
-- Returns head, total, newest count and the older counts; the last is nil when the stored counts are still
-- valid.
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

-- For a window that was not spent: when it is fully available again, and the wait until one more call fits.
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

-- Receipts: what an account has paid for, and until when it has that again for nothing. One hash for each account; each
-- of its 4,096 fields holds at most 400 records, which are 8 characters of a digest and the second that the record ends.
local PRINT_BYTES = 8
local RECEIPT_BYTES = PRINT_BYTES + 4
local RECEIPTS_MAX = 400
local PRUNED_EVERY = 16
local RECEIPTS_KEPT_MS = 31 * 86400000
local REWRITTEN_AFTER_S = 3600

local function find_receipt(packed, print)
  local at = string.find(packed, print, 1, true)
  while at and (at - 1) % RECEIPT_BYTES ~= 0 do at = string.find(packed, print, at + 1, true) end
  return at
end

local function has_receipt(key, field, print, now_s)
  local packed = redis.call('HGET', key, field)
  local at = packed and find_receipt(packed, print)
  return at and struct.unpack('>I4', packed, at + PRINT_BYTES) > now_s
end

-- Without those that have ended; without the oldest one where there is no room for one more.
local function live_receipts(packed, now_s)
  local live = {}
  for at = 1, #packed, RECEIPT_BYTES do
    if struct.unpack('>I4', packed, at + PRINT_BYTES) > now_s then
      live[#live + 1] = string.sub(packed, at, at + RECEIPT_BYTES - 1)
    end
  end
  if #live >= RECEIPTS_MAX then table.remove(live, 1) end
  return table.concat(live)
end

-- A value that is checked again and again is written once an hour.
local function keep_receipt(key, field, print, until_s, now_s)
  local packed = redis.call('HGET', key, field) or ''
  local at = find_receipt(packed, print)
  local record = print .. struct.pack('>I4', until_s)
  if at then
    if until_s - struct.unpack('>I4', packed, at + PRINT_BYTES) < REWRITTEN_AFTER_S then return end
    packed = string.sub(packed, 1, at - 1) .. record .. string.sub(packed, at + RECEIPT_BYTES)
  else
    if #packed > 0 and #packed % (PRUNED_EVERY * RECEIPT_BYTES) == 0 then packed = live_receipts(packed, now_s) end
    packed = packed .. record
  end
  redis.call('HSET', key, field, packed)
  redis.call('PEXPIRE', key, RECEIPTS_KEPT_MS)
end

local function drop_receipt(key, field, print)
  local packed = redis.call('HGET', key, field)
  local at = packed and find_receipt(packed, print)
  if not at then return end
  redis.call('HSET', key, field, string.sub(packed, 1, at - 1) .. string.sub(packed, at + RECEIPT_BYTES))
end

-- KEYS burst window, month (absent: burst only), receipts (absent: none). ARGV now or 0, burst limit, units or '' to
-- read without spending, and with a month: meter, month limit, first and past-the-end millisecond of the month, known
-- incarnation; and with receipts: the seconds that a new one lasts, how many are new, field and print of each new one,
-- then field and print of each that makes the call free. A refusal of either kind spends nothing.
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
  local receipts, now_s, last_new = keys[3], math.floor(now / 1000), 0
  if receipts then
    last_new = 10 + 2 * tonumber(argv[10])
    for at = last_new + 1, #argv, 2 do
      if units and units > 0 and has_receipt(receipts, argv[at], argv[at + 1], now_s) then units = 0 end
    end
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
  if month and units > 0 then
    granted = redis.call('HINCRBY', month, field, argv[3])
    for at = 11, last_new, 2 do
      keep_receipt(receipts, argv[at], argv[at + 1], now_s + tonumber(argv[9]), now_s)
    end
  end
  local reply = { GRANTED, limit - total - 1, (head + KEPT) * BURST_SLOT_MS, 0, granted, refunded }
  if receipts then reply[7] = units end
  return reply
end

local function raise(month, field, floor)
  local value = tonumber(redis.call('HGET', month, field) or 0)
  if value >= floor then return value end
  redis.call('HSET', month, field, floor)
  return floor
end

-- Adds the units that a process granted (below zero: refunded) on its own while Redis was down. Not clamped
-- at zero: a late reply may be corrected before its charge is settled, and only plain sums are correct in any
-- order.
local function add(month, field, owed, granted, refunded)
  if owed >= 0 then return redis.call('HINCRBY', month, field, owed), refunded end
  return granted, redis.call('HINCRBY', month, REFUNDED[field], -owed)
end

-- KEYS month. ARGV incarnation to begin with ('' to leave a missing month missing), the highest checks
-- granted and refunded and scans granted and refunded known to the caller, its id, the number of its
-- settlement (0: none), checks and scans of that settlement, milliseconds to keep the month. Both counters of
-- a meter only rise, so raising them to a value seen anywhere is always correct and never undoes a refund.
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

-- KEYS month, receipts (absent: none). ARGV meter, units, field and print of each receipt of the call. Refunds units,
-- never below zero used, and takes the receipts back; returns nothing when the month is gone.
local function refund(keys, argv)
  local field = argv[1]
  for at = 3, #argv, 2 do drop_receipt(keys[2], argv[at], argv[at + 1]) end
  local usage = redis.call('HMGET', keys[1], 'incarnation', field, REFUNDED[field])
  if not usage[1] then return false end
  local granted, refunded = tonumber(usage[2] or 0), tonumber(usage[3] or 0)
  local back = math.min(tonumber(argv[2]), granted - refunded)
  if back > 0 then refunded = redis.call('HINCRBY', keys[1], REFUNDED[field], back) end
  return { granted, refunded }
end

-- Counters of callers without credentials. One string holds the records of many addresses, so that their number is
-- bounded whatever addresses call: a key for each would let one IPv6 network fill the memory that the meters need.
local RECORDS_MAX = 32
local ID_BYTES = 8
local WINDOW_BYTES = ID_BYTES + 60
local COUNTER_BYTES = ID_BYTES + 4

local function find_record(packed, size, id)
  for at = 0, #packed - size, size do
    if string.sub(packed, at + 1, at + ID_BYTES) == id then return at end
  end
end

-- What forgetting the record would give away; 0 when its window has passed.
local function weight(packed, size, at, slot)
  if size == COUNTER_BYTES then return (struct.unpack('>I4', packed, at + ID_BYTES + 1)) end
  local head, total = struct.unpack('>I4I4', packed, at + ID_BYTES + 1)
  local passed = slot - head
  if passed >= KEPT or passed < -KEPT then return 0 end
  return total
end

-- The place of a new record: that of a passed window, else at the end, else that of the least spent record.
local function place_record(packed, size, slot)
  local lightest, place = nil, #packed
  for at = 0, #packed - size, size do
    local spent = weight(packed, size, at, slot)
    if spent == 0 then return at end
    if not lightest or spent < lightest then lightest, place = spent, at end
  end
  if #packed < RECORDS_MAX * size then return #packed end
  return place
end

-- KEYS packed windows, then packed counters. ARGV now or 0, number of windows; of each window the id of the record, slot
-- length and limit; of each counter the id of the record, limit and last millisecond. All must have room, then all are
-- spent; returns the one that refused or has the least left.
local function guard(keys, argv)
  local now, windows = clock(argv[1]), tonumber(argv[2])
  local writes, least = {}, nil
  for i = 1, #keys do
    local id, first, second = argv[3 * i], tonumber(argv[3 * i + 1]), tonumber(argv[3 * i + 2])
    local packed = redis.call('GET', keys[i]) or ''
    local answer
    if i <= windows then
      local slot = math.floor(now / first)
      local at = find_record(packed, WINDOW_BYTES, id)
      local state = at and string.sub(packed, at + ID_BYTES + 1, at + WINDOW_BYTES)
      local head, total, newest, older = open_window(state, slot)
      if total >= second then
        local reset, retry = window_times(state, first, now, second, head, total, newest, older)
        return { BURST_SPENT, second, 0, reset, retry }
      end
      local spent = struct.pack('>I4I4I4', head, total + 1, newest + 1) .. (older or string.sub(state, 13))
      writes[i] = { packed, at or place_record(packed, WINDOW_BYTES, slot), id .. spent, first * (KEPT + 1) }
      answer = { GRANTED, second, second - total - 1, (head + KEPT) * first, 0 }
    else
      local at = find_record(packed, COUNTER_BYTES, id)
      local total = at and struct.unpack('>I4', packed, at + ID_BYTES + 1) or 0
      if total >= first then return { MONTH_SPENT, first, 0, second, second - now } end
      local place = at or place_record(packed, COUNTER_BYTES, 0)
      writes[i] = { packed, place, id .. struct.pack('>I4', total + 1), math.max(1000, second - now) }
      answer = { GRANTED, first, first - total - 1, second, 0 }
    end
    if not least or answer[3] < least[3] then least = answer end
  end
  for i = 1, #keys do
    local packed, at, record, kept_ms = writes[i][1], writes[i][2], writes[i][3], writes[i][4]
    -- SETRANGE reserves twice the length when a string grows, so a string that grows is written whole.
    if at == #packed then redis.call('SET', keys[i], packed .. record) else redis.call('SETRANGE', keys[i], at, record) end
    redis.call('PEXPIRE', keys[i], kept_ms)
  end
  return least
end

-- KEYS packed windows. ARGV now or 0; of each window the id of the record, slot length and limit. Empties the windows that
-- have reached their limit; returns how many calls each one held.
local function release(keys, argv)
  local now = clock(argv[1])
  local held = {}
  for i = 1, #keys do
    local id, slot_ms, limit = argv[3 * i - 1], tonumber(argv[3 * i]), tonumber(argv[3 * i + 1])
    local packed = redis.call('GET', keys[i]) or ''
    local at = find_record(packed, WINDOW_BYTES, id)
    held[i] = 0
    if at then
      local state = string.sub(packed, at + ID_BYTES + 1, at + WINDOW_BYTES)
      local _, total = open_window(state, math.floor(now / slot_ms))
      held[i] = total
      if total >= limit then
        redis.call('SETRANGE', keys[i], at + ID_BYTES, string.rep('\0', WINDOW_BYTES - ID_BYTES))
      end
    end
  end
  return held
end

-- KEYS processes. ARGV id of the caller, 'leave' when it stops. Returns the number of processes seen in the
-- last 15 s.
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
redis.register_function('assay_release_VERSION', release)
redis.register_function('assay_heartbeat_VERSION', heartbeat)
