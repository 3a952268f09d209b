/* The classic locale in place of the library's. */
#pragma once
#include <fencepost/locale.h>
