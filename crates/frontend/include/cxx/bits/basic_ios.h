/* Our own streams in place of the library's. */
#pragma once
#include <fencepost/ios.h>
