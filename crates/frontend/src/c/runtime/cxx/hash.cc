/* Hashes, and the numbers of buckets of unordered containers. They are those of libstdc++, so that a program visits its
 * elements in the same order as natively. */

namespace std {
/* Up to eight bytes as a number, the first one lowest. */
static size_type word_at(const unsigned char *bytes, size_type length) {
  size_type word = 0;
  for (size_type i = 0; i < length; i++) word |= static_cast<size_type>(bytes[i]) << 8 * i;
  return word;
}

/* MurmurHash2 of 64 bits, by Austin Appleby. */
size_type _Hash_bytes(const void *data, size_type length, size_type seed) {
  const size_type factor = 0xc6a4a7935bd1e995;
  auto mixed = [](size_type word) { return word ^ (word >> 47); };
  auto bytes = static_cast<const unsigned char *>(data);
  size_type hash = seed ^ (length * factor), whole = length & ~7ul;
  for (size_type i = 0; i < whole; i += 8) hash = (hash ^ (mixed(word_at(bytes + i, 8) * factor) * factor)) * factor;
  if (length & 7) hash = (hash ^ word_at(bytes + whole, length & 7)) * factor;
  return mixed(mixed(hash) * factor);
}

/* FNV-1a. */
size_type _Fnv_hash_bytes(const void *data, size_type length, size_type hash) {
  auto bytes = static_cast<const unsigned char *>(data);
  for (size_type i = 0; i < length; i++) hash = (hash ^ bytes[i]) * 1099511628211;
  return hash;
}

template <typename A, typename B> struct pair;
template <> struct pair<bool, size_type> {
  bool first;
  size_type second;
};

namespace __detail {
/* The numbers of buckets that there can be. */
static const unsigned primes[] = {
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 103, 109, 113, 127,
    137, 139, 149, 157, 167, 179, 193, 199, 211, 227, 241, 257, 277, 293, 313, 337, 359, 383, 409, 439, 467, 503, 541,
    577, 619, 661, 709, 761, 823, 887, 953, 1031, 1109, 1193, 1289, 1381, 1493, 1613, 1741, 1879, 2029, 2179, 2357,
    2549, 2753, 2971, 3209, 3469, 3739, 4027, 4349, 4703, 5087, 5503, 5953, 6427, 6949, 7517, 8123, 8783, 9497, 10273,
    11113, 12011, 12983, 14033, 15173, 16411, 17749, 19183, 20753, 22447, 24281, 26267, 28411, 30727, 33223, 35933,
    38873, 42043, 45481, 49201, 53201, 57557, 62233, 67307, 72817, 78779, 85229, 92203, 99733, 107897, 116731, 126271,
    136607, 147793, 159871, 172933, 187091, 202409, 218971,
};

struct _Prime_rehash_policy {
  float most_per_bucket;
  /* With more elements than this, there must be more buckets. 0 before the first element. */
  mutable size_type next_resize;

  size_type _M_next_bkt(size_type least) const;
  pair<bool, size_type> _M_need_rehash(size_type buckets, size_type elements, size_type more) const;

private:
  size_type room(size_type buckets) const {
    return static_cast<size_type>(static_cast<double>(buckets) * static_cast<double>(most_per_bucket));
  }
};

size_type _Prime_rehash_policy::_M_next_bkt(size_type least) const {
  if (least == 0) return 1;
  for (unsigned prime : primes) {
    if (prime >= least) {
      next_resize = room(prime);
      return prime;
    }
  }
  __fencepost_refuse("an unordered container with more than 218971 buckets");
  return 0;
}

/* Whether there must be more buckets before more elements come, and how many. */
pair<bool, size_type> _Prime_rehash_policy::_M_need_rehash(size_type buckets, size_type elements, size_type more) const {
  size_type all = elements + more;
  if (all <= next_resize) return {false, 0};
  size_type least = next_resize == 0 && all < 11 ? 11 : all;
  double needed = static_cast<double>(least) / static_cast<double>(most_per_bucket);
  if (needed >= static_cast<double>(buckets)) {
    size_type wanted = static_cast<size_type>(needed) + 1, doubled = buckets * 2;
    return {true, _M_next_bkt(wanted > doubled ? wanted : doubled)};
  }
  next_resize = room(buckets);
  return {false, 0};
}
}
}
