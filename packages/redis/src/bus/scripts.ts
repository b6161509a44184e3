/**
 * Defines `now`, the time of Redis in milliseconds, because the clocks of several machines differ. `micros` is the same
 * time in microseconds, because replies are integers.
 */
const NOW = `
local time = redis.call('TIME')
local micros = time[1] * 1000000 + time[2]
local now = math.floor(micros / 1000)
`;

/**
 * Appends a batch, each entry once. A repeated batch has the same numbers, and an event that two gateways received has
 * the same id.
 *
 * KEYS: last number of this gateway, then the stream of each entry. ARGV: prefix, number of the first entry, then for
 * each entry the maximum length of its stream, the id ('' for none), its lifetime in seconds, the version, the body.
 * Returns the number of new entries.
 */
export const APPEND = `
local last = tonumber(redis.call('GET', KEYS[1]) or '0')
local number = tonumber(ARGV[2])
local added = 0
for k = 2, #KEYS do
  if number > last then
    local most, name, seconds, version, body = unpack(ARGV, 5 * k - 7, 5 * k - 3)
    local seen = name ~= '' and ARGV[1] .. 'seen:' .. name
    if not seen or redis.call('EXISTS', seen) == 0 then
      local id = redis.call('XADD', KEYS[k], 'MAXLEN', '~', most, '*', 'v', version, 'e', body)
      if seen then redis.call('SET', seen, id, 'EX', seconds) end
      added = added + 1
    end
  end
  number = number + 1
end
redis.call('SET', KEYS[1], number - 1, 'EX', 900)
return added
`;

/**
 * Renews the lease of a worker. Removes dead workers if allowed. Takes partitions without an owner, and partitions of
 * removed workers, up to the share of the worker. A draining worker has no share.
 *
 * KEYS: workers, owners, draining. ARGV: worker, lease in ms, number of partitions, 1 if it may remove others, 1 if it
 * drains. Returns the time in microseconds, the share, the partitions of the worker, and 1 for a late renewal. Other
 * workers may then be late too, because Redis was away or its clock was set.
 */
export const BEAT = `${NOW}
local me = ARGV[1]
-- Heartbeats from before the clock was set back: a dead worker would seem alive until the old time is reached again.
local ahead = redis.call('ZRANGEBYSCORE', KEYS[1], now + 1000, '+inf')
-- This write comes first: a full Redis allows all writes of a script whose first write needs no memory, and workers
-- make room.
redis.call('ZREMRANGEBYSCORE', KEYS[1], now + 1000, '+inf')
for _, worker in ipairs(ahead) do redis.call('ZADD', KEYS[1], now, worker) end
local before = redis.call('ZSCORE', KEYS[1], me)
local isLate = #ahead > 0 or before and now - before > 1000 or not before and redis.call('ZCARD', KEYS[1]) > 0
local mayTake = ARGV[4] == '1' and not isLate
redis.call('ZADD', KEYS[1], now, me)
if mayTake then redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2]) end
if ARGV[5] == '1' then
  redis.call('SADD', KEYS[3], me)
  redis.call('EXPIRE', KEYS[3], 3600)
end
local live, count = {}, 0
for _, worker in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  live[worker] = true
  if redis.call('SISMEMBER', KEYS[3], worker) == 0 then count = count + 1 end
end
local owner, mine = {}, {}
local owners = redis.call('HGETALL', KEYS[2])
for i = 1, #owners, 2 do owner[owners[i]] = owners[i + 1] end
for p = 0, ARGV[3] - 1 do
  if owner[tostring(p)] == me then mine[#mine + 1] = p end
end
local share = ARGV[5] == '1' and 0 or math.ceil(ARGV[3] / count)
for p = 0, ARGV[3] - 1 do
  local current = owner[tostring(p)]
  if #mine < share and current ~= me and (not current or (mayTake and not live[current])) then
    redis.call('HSET', KEYS[2], p, me)
    mine[#mine + 1] = p
  end
end
return { micros, share, mine, isLate and 1 or 0 }
`;

/** Releases a partition. KEYS: owners. ARGV: worker, partition. */
export const RELEASE = `
if redis.call('HGET', KEYS[1], ARGV[2]) == ARGV[1] then redis.call('HDEL', KEYS[1], ARGV[2]) end
`;

/**
 * Defines `withProgress`, which adds the progress of former workers and the number of deliveries to the fields of an
 * entry. Progress: no worker had begun the entry (-1), a first answer may exist (0), follow-ups were begun (1), or also
 * the text about the interruption was begun (2).
 */
const PROGRESS = `
local function withProgress(id, fields, deliveries, prefix)
  local isBegun = deliveries > 1
  fields[#fields + 1] = 'progress'
  fields[#fields + 1] = isBegun and redis.call('GET', prefix .. 'followed:' .. id) or isBegun and '0' or '-1'
  fields[#fields + 1] = deliveries
  return fields
end
`;

/**
 * Claims the entries of dead workers, and entries that were passed on to workers of this version. An entry may be the
 * cause of the death of its workers. So its last delivery, and the delivery that only sets the entry aside, are claimed
 * alone, and such commands only by the first of all workers, while the others continue. An entry that no newer worker
 * has claimed in 15 minutes is set aside as well.
 *
 * KEYS: workers, draining, then streams; entries of the first stream are deleted when they end. ARGV: group, worker,
 * number of the last delivery, maximum number of entries, version, prefix, 1 if it may claim an entry alone. Returns 1 if
 * an entry waits to be claimed alone (else 0), then the same as XREADGROUP.
 */
export const RECLAIM = `${PROGRESS}
local group, me, last = ARGV[1], ARGV[2], tonumber(ARGV[3])
local live, first = { [me] = true }, me
for _, worker in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  live[worker] = true
  if worker < first and redis.call('SISMEMBER', KEYS[2], worker) == 0 then first = worker end
end
local claimed = { 0 }
local isAlone = false
for s = 3, #KEYS do
  local stream = KEYS[s]
  for _, consumer in ipairs(redis.call('XINFO', 'CONSUMERS', stream, group)) do
    local name = consumer[2]
    local version = tonumber(string.match(name, '^v(%d+)$'))
    local isNewer = version and version > tonumber(ARGV[5])
    local isLeft = version or not live[name]
    local idle = isNewer and 900000 or 0
    for _, entry in ipairs(isLeft and redis.call('XPENDING', stream, group, 'IDLE', idle, '-', '+', ARGV[4], name) or {}) do
      local id, deliveries = entry[1], isNewer and last + 1 or entry[4] + 1
      local isSuspect = deliveries >= last
      local isMine = not isSuspect or s > 3 or first == me
      if isMine and isSuspect and (ARGV[7] == '0' or #claimed > 1) then
        claimed[1] = 1
      elseif isMine and not isAlone then
        local found = redis.call('XCLAIM', stream, group, me, 0, id, 'RETRYCOUNT', deliveries)[1]
        if found then
          isAlone = isSuspect
          claimed[#claimed + 1] = { stream, { { id, withProgress(id, found[2], deliveries, ARGV[6]) } } }
        else
          redis.call('XACK', stream, group, id)
          if s == 3 then redis.call('XDEL', stream, id) end
        end
      end
    end
    if isLeft and not version and #redis.call('XPENDING', stream, group, '-', '+', 1, name) == 0 then
      redis.call('XGROUP', 'DELCONSUMER', stream, group, name)
    end
  end
end
if isAlone then claimed[1] = 0 end
return claimed
`;

/**
 * Reads the unended entries of a worker again. XREADGROUP would count this as a delivery. KEYS: streams. ARGV: group,
 * worker, maximum number of entries of each stream, prefix. Returns the same as XREADGROUP.
 */
export const READ_AGAIN = `${PROGRESS}
local read = {}
for s, stream in ipairs(KEYS) do
  local entries = {}
  for _, entry in ipairs(redis.call('XPENDING', stream, ARGV[1], '-', '+', ARGV[3], ARGV[2])) do
    local found = redis.call('XRANGE', stream, entry[1], entry[1])[1]
    -- The lost reply may have been from a claim.
    if found then withProgress(entry[1], found[2], entry[4], ARGV[4]) end
    entries[#entries + 1] = found or { entry[1], {} }
  end
  read[s] = { stream, entries }
end
return read
`;

/**
 * Ends entries, or moves dead entries to the stream of dead entries, once. KEYS: stream of the entries, dead. ARGV: group,
 * 1 if the stream keeps only unended entries, then for each entry its id, and the number of its runs if it is dead, else 0.
 */
export const END = `${NOW}
for i = 3, #ARGV, 2 do
  local id, deliveries = ARGV[i], ARGV[i + 1]
  local found = deliveries ~= '0' and redis.call('XRANGE', KEYS[1], id, id)[1]
  if redis.call('XACK', KEYS[1], ARGV[1], id) == 1 and found then
    redis.call('XADD', KEYS[2], 'MAXLEN', '~', 10000, '*', 'stream', KEYS[1], 'id', id, 'at', now, 'deliveries', deliveries, unpack(found[2]))
  end
  if ARGV[2] == '1' then redis.call('XDEL', KEYS[1], id) end
end
`;

/**
 * Moves an entry to the end of a stream, for another worker. KEYS: stream of the entry, stream to append to, id of its
 * entry. ARGV: group, id, version, body. Returns 1 if the entry existed, else 0.
 */
export const REQUEUE = `
redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
if redis.call('XDEL', KEYS[1], ARGV[2]) == 0 then return 0 end
local id = redis.call('XADD', KEYS[2], '*', 'v', ARGV[3], 'e', ARGV[4])
if redis.call('EXISTS', KEYS[3]) == 1 then redis.call('SET', KEYS[3], id, 'KEEPTTL') end
return 1
`;

/**
 * Marks a command as deferred if no worker runs it, so that a gateway can defer it. KEYS: workers, commands, id of the
 * entry, mark. ARGV: group, time in ms after which a worker may be gone. Returns 'late' for a command that was marked,
 * else 'running' or 'ended'.
 */
export const DEFER = `${NOW}
local id = redis.call('GET', KEYS[3])
if id then
  local pending = redis.call('XPENDING', KEYS[2], ARGV[1], id, id, 1)[1]
  if pending then
    if tonumber(redis.call('ZSCORE', KEYS[1], pending[2]) or 0) >= now - ARGV[2] then return 'running' end
  elseif #redis.call('XRANGE', KEYS[2], id, id) == 0 then
    return 'ended'
  end
end
redis.call('SET', KEYS[4], 1, 'EX', 900)
return 'late'
`;

/**
 * Acquires or renews a lease. KEYS: lease. ARGV: holder, time in ms. Returns the time in microseconds, and the holder. A lease
 * that lasts longer, since the clock of Redis was set back, is shortened: its holder renews it in time, if it is alive.
 */
export const LEASE = `${NOW}
local holder = redis.call('GET', KEYS[1])
if not holder or holder == ARGV[1] then
  -- DEL comes first: a full Redis then allows SET as well.
  redis.call('DEL', KEYS[1])
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  holder = ARGV[1]
elseif redis.call('PTTL', KEYS[1]) > tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return { micros, holder }
`;

/** Adds times and deletes times of more than a day ago. KEYS: times. ARGV: times in ms. Returns all times. */
export const IDENTIFIED = `${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - 86400000)
for i = 1, #ARGV do redis.call('ZADD', KEYS[1], ARGV[i], ARGV[i]) end
redis.call('EXPIRE', KEYS[1], 86400)
return redis.call('ZRANGE', KEYS[1], 0, -1)
`;

/** Releases a lease. KEYS: lease. ARGV: holder. */
export const UNLEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
`;
